/*
 * git.exe for tests under Wine: runs Linux's git. There is no package with git for Windows.
 *
 * Wine starts a Linux program without pipes and without a handle to wait for, so input, output and exit code are files
 * in a temporary folder. git-on-linux.sh, beside this program, translates paths: drive Z: is Linux's root.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static char folder[MAX_PATH];

static void put(const char *name, const char *bytes, DWORD size) {
    char path[MAX_PATH + 16];
    snprintf(path, sizeof path, "%s\\%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
}

static int copy(const char *name, HANDLE to) {
    char path[MAX_PATH + 16], bytes[65536];
    snprintf(path, sizeof path, "%s\\%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        return 0;
    }
    size_t size;
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0) {
        DWORD at = 0, done;
        while (at < size && WriteFile(to, bytes + at, (DWORD)size - at, &done, NULL)) {
            at += done;
        }
    }
    fclose(file);
    return 1;
}

int main(int count, char **args) {
    char temporary[MAX_PATH], script[MAX_PATH], line[3 * MAX_PATH], bytes[65536];
    GetTempPathA(sizeof temporary, temporary);
    snprintf(folder, sizeof folder, "%sgit-%lu-%lu", temporary, GetCurrentProcessId(), GetTickCount());
    CreateDirectoryA(folder, NULL);

    /* Arguments end with a NUL each. GetCommandLineA would lose characters outside the code page. */
    char *all = malloc(1 << 20);
    DWORD size = 0;
    int words;
    LPWSTR *wide = CommandLineToArgvW(GetCommandLineW(), &words);
    for (int n = 1; n < words; n++) {
        size += WideCharToMultiByte(CP_UTF8, 0, wide[n], -1, all + size, (1 << 20) - size, NULL, NULL);
    }
    put("args", all, size);

    HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
    char path[MAX_PATH + 16];
    snprintf(path, sizeof path, "%s\\in", folder);
    FILE *file = fopen(path, "wb");
    DWORD read;
    if (GetFileType(input) != FILE_TYPE_CHAR) {
        while (ReadFile(input, bytes, sizeof bytes, &read, NULL) && read > 0) {
            fwrite(bytes, 1, read, file);
        }
    }
    fclose(file);

    GetModuleFileNameA(NULL, script, sizeof script);
    strcpy(strrchr(script, '\\'), "\\git-on-linux.sh");
    /* This program lies on drive Z:. */
    snprintf(line, sizeof line, "\"Z:\\bin\\sh\" \"%s\" \"%s\"", script + 2, folder);
    for (char *at = line + 12; *at; at++) {
        *at = *at == '\\' ? '/' : *at;
    }
    STARTUPINFOA info = {sizeof info};
    PROCESS_INFORMATION started;
    if (!CreateProcessA("Z:\\bin\\sh", line, NULL, NULL, FALSE, 0, NULL, NULL, &info, &started)) {
        fprintf(stderr, "git: Linux's shell could not be started: %lu\n", GetLastError());
        return 127;
    }
    snprintf(path, sizeof path, "%s\\code", folder);
    while (GetFileAttributesA(path) == INVALID_FILE_ATTRIBUTES) {
        Sleep(2);
    }
    copy("out", GetStdHandle(STD_OUTPUT_HANDLE));
    copy("err", GetStdHandle(STD_ERROR_HANDLE));
    int code = 127;
    file = fopen(path, "r");
    if (file) {
        fscanf(file, "%d", &code);
        fclose(file);
    }
    const char *names[] = {"args", "in", "out", "err", "code"};
    for (int n = 0; n < 5; n++) {
        snprintf(path, sizeof path, "%s\\%s", folder, names[n]);
        DeleteFileA(path);
    }
    RemoveDirectoryA(folder);
    return code;
}
