import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where an unpacked browser lies: beside it the libraries and fonts that a bare machine lacks. */
interface UnpackedChromium {
  executablePath: string;
  /** For the browser's process alone. */
  env: Record<string, string>;
}

/**
 * Unpacks @sparticuz/chromium into `folder/chromium` once, 1–2 s. Two test processes may ask at the same time, and the
 * package takes a half-written file for a whole one: so it unpacks into a folder of this process and is then renamed.
 */
export async function unpackChromium(folder: string): Promise<UnpackedChromium> {
  const home = join(folder, 'chromium');
  if (!existsSync(home)) await unpackInto(folder, home);
  return {
    executablePath: join(home, 'chromium'),
    env: {
      HOME: home,
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_CONFIG_HOME: join(home, 'config'),
      FONTCONFIG_FILE: join(home, 'fonts.conf'),
      // nss and nspr, which a slim image does not have; the machine's own come first where they exist.
      LD_LIBRARY_PATH: ['/usr/lib/x86_64-linux-gnu', '/usr/lib64', join(home, 'al2023', 'lib')].join(':'),
    },
  };
}

async function unpackInto(folder: string, home: string): Promise<void> {
  const { default: chromium, inflate } = await import('@sparticuz/chromium');
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, 'unpacking-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = own;
  try {
    await chromium.executablePath();
    await inflate(join(packageFolder(), 'bin', 'al2023.tar.br'));
    await writeFile(join(own, 'fonts.conf'), fontsConf(home));
    // The loser of a race finds the winner's folder and lets its own go.
    await rename(own, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await rm(own, { recursive: true, force: true });
  }
}

const packageFolder = (): string =>
  join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..');

const fontsConf = (home: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(home, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(home, 'fonts-cache')}</cachedir>
</fontconfig>
`;
