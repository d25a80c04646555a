import { setTimeout as delay } from 'node:timers/promises';
import { WORST_TABLES } from '../../test/imports/worst-tables.ts';
import { HOSTILE_MEDIA, streamFile } from '../../test/support/hostile-media.ts';
import { buildJpeg } from '../../test/support/media-files.ts';
import { ATTACKER_ID, type Attack } from './attacks.ts';
import { openPostForm, type Target } from './target.ts';

interface AttackFile {
  name: string;
  bytes: Uint8Array;
}

/** People who drop files, so that the limit of one person's files isn't that of the attack. */
const SENDER_COUNT = 20;
/** The size of hostile files that are made of repeated parts. */
const HOSTILE_MEDIA_BYTES = 30 * 2 ** 20;

/** Files that Upnext reads: tables to import, and the pictures and videos that their rows name. */
export function listFileAttacks(group: number): Attack[] {
  const byFormat = Map.groupBy(Object.entries(HOSTILE_MEDIA), ([name]) => name.split(' ')[1]);
  const pictures = Array.from({ length: 12 }, (_, index) =>
    withTable(buildJpeg({ width: 1_000 + index, scanBytes: HOSTILE_MEDIA_BYTES }), 'soup.jpg'),
  );
  const tables = WORST_TABLES.map(({ createBytes }) => [{ name: 'posts.csv', bytes: createBytes() }]);
  return [
    { ...createFileAttack(group, 'pictures until the disk is full', () => pictures), diskMb: 200 },
    createFileAttack(group, 'hostile tables', () => tables),
    ...[...byFormat].map(([format, shapes]) =>
      createFileAttack(group, `hostile files: ${format}`, () =>
        shapes.map(([, { build }]) =>
          withTable(Buffer.concat([...streamFile(build(HOSTILE_MEDIA_BYTES))]), 'soup.jpg'),
        ),
      ),
    ),
  ];
}

function createFileAttack(
  group: number,
  name: string,
  createMessages: () => readonly (readonly AttackFile[])[],
): Attack {
  return {
    ...{ group, name, lists: 'one project' },
    async prepare(target) {
      const events: object[] = [];
      for (const files of createMessages()) events.push(await dropFiles(target, files));
      const senders = Array.from({ length: SENDER_COUNT }, (_, index) =>
        target.workspace.admin.addPerson({ name: `Sender ${index}` }),
      );
      // Each shape in turn, each time by the next person.
      const payloads = Array.from({ length: SENDER_COUNT * events.length }, (_, index) =>
        JSON.parse(
          JSON.stringify(events[index % events.length]).replaceAll(
            `"${ATTACKER_ID}"`,
            `"${senders[index % SENDER_COUNT]}"`,
          ),
        ),
      );
      return { mode: 'unchanged', payloads };
    },
  };
}

/** Drops the files of one message in a direct message with the app. Returns the event about them. */
async function dropFiles(target: Target, files: readonly AttackFile[]): Promise<object> {
  const ana = await target.workspace.as('Ana').inDirectMessage();
  const listEvents = () =>
    target
      .listSentPayloads('event_callback')
      .filter((payload) => JSON.stringify(payload).includes('"file_share"'));
  const before = listEvents().length;
  await ana.drop(files);
  for (;;) {
    const event = listEvents()[before];
    if (event) return event;
    await delay(50);
  }
}

const table = (...lines: string[]) => ({ name: 'posts.csv', bytes: Buffer.from(lines.join('\n')) });

/** A table that names the file of its message. */
const withTable = (bytes: Uint8Array, name: string): AttackFile[] => [
  table('Time,Text,Platforms,Media', `in 3 days 9am,Soup,X,${name}`),
  { name, bytes },
];

/** Half a second each. After other attacks, the service may only be asked again after a while. */
const STORE_TRIES = 360;

/** Stores a picture as the attacker, and returns the path of its public address. */
export async function storePicture(target: Target): Promise<string> {
  const form = await openPostForm(target, '/schedule-post in 3 days 9am on x: Soup of the day');
  const bytes = buildJpeg({ width: 4_000, height: 3_000, scanBytes: 50 * 2 ** 20 });
  await form.attach('Picture or video', [{ name: 'soup.jpg', bytes }]);
  for (let tries = 0; tries < STORE_TRIES; tries += 1) {
    // A form whose picture was still being stored has to be sent again.
    await form.submit().catch(() => undefined);
    await delay(500);
    const address = await (await fetch(target.controlUrl)).text();
    if (address !== '') return new URL(address).pathname;
  }
  throw new Error('the service was not sent the picture');
}
