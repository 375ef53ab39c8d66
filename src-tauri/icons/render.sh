#!/bin/sh
# Draws every icon from icon.svg. Needs rsvg-convert (librsvg2-bin), convert (imagemagick) and python3.
set -eu
cd "$(dirname "$0")"

render() { rsvg-convert --width "$1" --height "$1" icon.svg --output "$2"; }
render 32 32x32.png
render 64 64x64.png
render 128 128x128.png
render 256 128x128@2x.png
render 512 icon.png
convert 128x128@2x.png -define icon:auto-resize=256,128,64,48,32,16 icon.ico
# An .icns is its PNGs one after the other, each with its type and length.
python3 - <<'PY'
import struct
parts = [(b"ic07", "128x128.png"), (b"ic08", "128x128@2x.png"), (b"ic09", "icon.png")]
body = b""
for kind, name in parts:
    png = open(name, "rb").read()
    body += kind + struct.pack(">I", len(png) + 8) + png
open("icon.icns", "wb").write(b"icns" + struct.pack(">I", len(body) + 8) + body)
PY
