@"%~dp0\..\global\5\node_modules\@anthropic-ai\claude-code\bin\claude.exe"   %*
