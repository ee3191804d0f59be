// The page of the visual test of PDFs, which must look the same on every machine.
import { readFileSync } from 'node:fs'

const font = readFileSync('node_modules/pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf').toString('base64')

/** HTML with shapes, and text in an embedded font, so that no installed font changes the picture. */
export const shapes = `<!doctype html>
<style>
  @font-face { font-family: Own; src: url(data:font/ttf;base64,${font}) }
  @page { size: 120mm 80mm; margin: 0 }
  body { margin: 0; font: bold 20pt/1 Own }
  .all { position: relative; width: 120mm; height: 80mm; overflow: hidden; background: #fff8e1 }
  .all > * { position: absolute }
  .bar { left: 0; top: 0; width: 100%; height: 14mm; background: linear-gradient(90deg, #0f766e, #1d4ed8) }
  h1 { left: 6mm; top: 4mm; margin: 0; font-size: inherit; color: #fff }
  .round { left: 10mm; top: 24mm; width: 30mm; height: 30mm; border-radius: 50%; background: #dc2626 }
  .turned { left: 52mm; top: 28mm; width: 22mm; height: 22mm; background: #1d4ed8; transform: rotate(30deg) }
  .framed { left: 84mm; top: 26mm; width: 24mm; height: 24mm; border: 2mm dashed #0f766e; box-sizing: border-box }
  svg { left: 10mm; top: 58mm }
  p { right: 6mm; bottom: 6mm; margin: 0; color: #1f2937 }
</style>
<div class="all">
  <div class="bar"></div>
  <h1>Quartermaster</h1>
  <div class="round"></div>
  <div class="turned"></div>
  <div class="framed"></div>
  <svg width="60mm" height="16mm" viewBox="0 0 60 16">
    <path d="M0 16 L10 4 L20 12 L30 2 L40 10 L50 0 L60 16 Z" fill="#f59e0b" stroke="#1f2937" stroke-width=".6"/>
  </svg>
  <p>0123456789</p>
</div>`
