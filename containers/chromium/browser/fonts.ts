// Configures the fonts of Chromium with fontconfig: the system's fonts first, then fonts from npm for machines without fonts.
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

/** The first family of each generic family: those of the first package. */
const generic = { 'sans-serif': 'DejaVu Sans', serif: 'DejaVu Serif', monospace: 'DejaVu Sans Mono' }

/** Writes a fontconfig file into the folder. Returns its environment variable. */
export async function configureFonts(folder: string): Promise<Record<string, string>> {
  const file = join(folder, 'fonts.conf')
  const folders = Object.keys(packages).flatMap((name) => folderOf(name) ?? [])
  await writeFile(file, configuration(folders, join(folder, 'font-cache')))
  return { FONTCONFIG_FILE: file }
}

/** Folder of a package; undefined if it is not installed, as in the container image, which has Debian's fonts. */
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
    // Last fallback of every family.
    '<match><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>',
    // DejaVu Math has letters too, and would precede the text fonts.
    '<selectfont><rejectfont><glob>*/dejavu-fonts-ttf/*/DejaVuMath*</glob></rejectfont></selectfont>',
    '</fontconfig>\n',
  ].join('\n')
}

const families = (names: string[]) => names.map((name) => element('family', name))

const element = (name: string, ...content: string[]) => `<${name}>${content.join('')}</${name}>`

const escaped = (text: string) => text.replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`)
