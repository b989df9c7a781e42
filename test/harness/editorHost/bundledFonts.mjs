import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const systemFolders = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  '.local/share/fonts',
  '.fonts',
];

/**
 * Returns whether this machine can draw text: it needs a font file and a configuration that finds
 * it.
 */
export function hasFonts() {
  return (
    existsSync('/etc/fonts/fonts.conf') &&
    systemFolders.some((folder) =>
      holdsFont(folder.startsWith('/') ? folder : join(homedir(), folder)),
    )
  );
}

function holdsFont(folder) {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true }).some((name) =>
    /\.(ttf|otf|ttc|pfb)$/i.test(String(name)),
  );
}

/** Copies the faces the workbench needs and no serif one: the interface would use it. */
export function copyFonts(folder, host) {
  mkdirSync(folder);
  for (const family of ['DejaVuSans', 'DejaVuSansMono']) {
    for (const style of ['', '-Bold', '-Oblique', '-BoldOblique']) {
      const file = `${family}${style}.ttf`;
      copyFileSync(join(host.packages, 'dejavu-fonts-ttf', 'ttf', file), join(folder, file));
    }
  }
}

/** Writes a font configuration that contains the fonts of one folder only. */
export function writeFontConfig(file, folder) {
  const prefer = (generic, family) =>
    `<alias><family>${generic}</family><prefer><family>${family}</family></prefer></alias>`;
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <cachedir>${folder}/cache</cachedir>
  ${prefer('sans-serif', 'DejaVu Sans')}
  ${prefer('monospace', 'DejaVu Sans Mono')}
</fontconfig>
`,
  );
}
