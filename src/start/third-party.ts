import { z } from 'zod';

const lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().default(false),
      devOptional: z.boolean().default(false),
      optional: z.boolean().default(false),
    }),
  ),
});

/** THIRD-PARTY.md, generated from package-lock.json: every package that `npm ci --omit=dev` installs. */
export function renderThirdParty(lockText: string): string {
  const { packages } = lock.parse(JSON.parse(lockText));
  const shipped = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { version = '', license = '', optional }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, license, note: optional ? 'only on this platform' : '' };
    })
    .toSorted((a, b) => compare(`${a.name} ${a.version}`, `${b.name} ${b.version}`));
  const rows = shipped.map(
    ({ name, version, license, note }) => `| ${name} | ${version} | ${license} | ${note} |`,
  );
  const licences = Map.groupBy(shipped, ({ license }) => license);
  const counts = [...licences]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([name, all]) => `${name} ${all.length}`);
  return [
    '# Third-party packages',
    '',
    'The packages that `npm ci --omit=dev` installs. `npm run generate` writes this list from `package-lock.json`. The licence text is in the folder of each package.',
    '',
    'The repository also contains the fonts in `assets/fonts/dejavu` and the list of emoji in `assets/emoji`, each with its licence.',
    '',
    `${shipped.length} packages: ${counts.join(', ')}.`,
    '',
    '| Package | Version | Licence | |',
    '|---|---|---|---|',
    ...new Set(rows),
    '',
  ].join('\n');
}

/** By code units, so that the order doesn't depend on the machine's locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
