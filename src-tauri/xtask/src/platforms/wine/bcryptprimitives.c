/* The only function of bcryptprimitives.dll that Rust's standard library uses. Wine 8 does not provide this DLL. */
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
