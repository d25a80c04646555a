import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An unpacked browser, with the libraries and fonts that a bare machine lacks. */
interface UnpackedChromium {
  executablePath: string;
  /** Environment of the browser's process. */
  env: Record<string, string>;
}

/**
 * Unpacks @sparticuz/chromium into `folder/chromium` if that doesn't exist, which takes 1–2 s. Several test
 * processes may unpack at the same time, and the package doesn't notice incomplete files. So each process unpacks into
 * its own folder, and then renames the folder.
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
      // The libraries nss and nspr, which slim images lack. Libraries of the machine take precedence.
      LD_LIBRARY_PATH: ['/usr/lib/x86_64-linux-gnu', '/usr/lib64', join(home, 'al2023', 'lib')].join(':'),
    },
  };
}

async function unpackInto(folder: string, home: string): Promise<void> {
  const { default: chromium, inflate } = await import('@sparticuz/chromium');
  await mkdir(folder, { recursive: true });
  const ownFolder = await mkdtemp(join(folder, 'unpacking-'));
  const originalTmpdir = process.env.TMPDIR;
  process.env.TMPDIR = ownFolder;
  try {
    await chromium.executablePath();
    await inflate(join(findPackageFolder(), 'bin', 'al2023.tar.br'));
    await writeFile(join(ownFolder, 'fonts.conf'), renderFontsConf(home));
    // If another process was faster, its folder is used and this one is removed.
    await rename(ownFolder, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    if (originalTmpdir === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = originalTmpdir;
    await rm(ownFolder, { recursive: true, force: true });
  }
}

const findPackageFolder = (): string =>
  join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..');

const renderFontsConf = (home: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(home, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(home, 'fonts-cache')}</cachedir>
</fontconfig>
`;
