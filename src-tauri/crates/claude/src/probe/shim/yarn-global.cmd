@"%~dp0\..\Data\global\node_modules\.bin\claude.cmd"   %*
