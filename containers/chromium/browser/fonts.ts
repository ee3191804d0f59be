// Configures the fonts of Chromium with fontconfig: the system's fonts first, then fonts from npm, for machines that
// have none.
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** npm packages and their families, in the order in which glyphs are looked up. */
const packages = {
  // Covers Latin, Cyrillic, Greek, Arabic, Hebrew and more.
  'dejavu-fonts-ttf': [],
  '@expo-google-fonts/kosugi': ['Kosugi'],
  '@expo-google-fonts/zcool-xiaowei': ['ZCOOL XiaoWei'],
  '@expo-google-fonts/gowun-dodum': ['Gowun Dodum'],
  '@expo-google-fonts/noto-emoji': ['Noto Emoji'],
}

/** Fonts for CSS's generic families, all from the first npm package. */
const generic = { 'sans-serif': 'DejaVu Sans', serif: 'DejaVu Serif', monospace: 'DejaVu Sans Mono' }

/** Writes a fontconfig file into the folder. Returns the environment variable that makes Chromium read it. */
export async function configureFonts(folder: string): Promise<Record<string, string>> {
  const file = join(folder, 'fonts.conf')
  const folders = Object.keys(packages).flatMap((name) => folderOf(name) ?? [])
  await writeFile(file, configuration(folders, join(folder, 'font-cache')))
  return { FONTCONFIG_FILE: file }
}

/**
 * Folder of an npm package. Undefined if it is not installed, as in the container image, which has Debian's fonts
 * instead.
 */
function folderOf(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}

function configuration(folders: string[], cache: string): string {
  const others = Object.values(packages).flat()
  const aliases = Object.entries(generic).map(([family, first]) =>
    element('alias', element('family', family), element('default', ...families([first, ...others]))),
  )
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<fontconfig>',
    '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
    ...folders.map((folder) => element('dir', escaped(folder))),
    element('cachedir', escaped(cache)),
    ...aliases,
    // Makes DejaVu Sans the last fallback of every family, so that a missing glyph is taken from it.
    '<match><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>',
    // Excludes DejaVu Math: it has letters too, and would be chosen before the text fonts.
    '<selectfont><rejectfont><glob>*/dejavu-fonts-ttf/*/DejaVuMath*</glob></rejectfont></selectfont>',
    '</fontconfig>\n',
  ].join('\n')
}

const families = (names: string[]) => names.map((name) => element('family', name))

const element = (name: string, ...content: string[]) => `<${name}>${content.join('')}</${name}>`

const escaped = (text: string) => text.replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`)
