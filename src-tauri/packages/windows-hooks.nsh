; Adds "Open in Beads Console" to the menu of folders in Explorer, for this user. Explorer remains the default.

!macro NSIS_HOOK_POSTINSTALL
  WriteRegStr HKCU "Software\Classes\Directory\shell\BeadsConsole" "" "Open in Beads Console"
  WriteRegStr HKCU "Software\Classes\Directory\shell\BeadsConsole" "Icon" "$INSTDIR\${MAINBINARYNAME}.exe"
  WriteRegStr HKCU "Software\Classes\Directory\shell\BeadsConsole\command" "" '"$INSTDIR\${MAINBINARYNAME}.exe" --project "%V"'
!macroend

!macro NSIS_HOOK_POSTUNINSTALL
  DeleteRegKey HKCU "Software\Classes\Directory\shell\BeadsConsole"
!macroend
