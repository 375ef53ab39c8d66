/* The one function that the Rust library needs of bcryptprimitives.dll, which Wine 8 does not have. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
    while (size > 0) {
        ULONG part = size > 0x40000000 ? 0x40000000 : (ULONG)size;
        if (!SystemFunction036(data, part)) {
            return FALSE;
        }
        data += part;
        size -= part;
    }
    return TRUE;
}
