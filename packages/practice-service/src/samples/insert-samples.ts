import type { Kysely } from 'kysely';
import { toInstant } from '../posts/schedule-date.ts';
import type { ServiceSchema } from '../schema.ts';
import { writeLog } from '../write-log.ts';

/** The data of a sample project. */
interface SampleProject {
  name: string;
  description: string;
  /** The zone of the days and times below. */
  zone: string;
  templates: readonly { name: string; content: string }[];
  prompts: readonly { title: string; promptText: string; description: string }[];
  sources: readonly { description: string; source: string }[];
  users: readonly {
    firstName: string;
    lastName: string;
    email: string;
    phoneNumber?: string;
    role: string;
  }[];
  /** In the order of their creation. */
  posts: readonly SamplePost[];
  webhook: string;
}

interface SamplePost {
  content: string;
  media?: string;
  /** The index of the project's template, from 0. */
  template?: number;
  platforms: readonly string[];
  /** Days from today, and the local time. A past post is PUBLISHED, a future one SCHEDULED, one without a moment a DRAFT. */
  at?: readonly [days: number, time: string];
}

const nightMarketBooks: SampleProject = {
  name: 'Night Market Books',
  description: 'A bookshop that opens at six in the evening.',
  zone: 'Asia/Singapore',
  templates: [
    {
      name: 'Book of the week',
      content: 'Book of the week: {title} by {author}. {reason} Ask for it at the counter.',
    },
    {
      name: 'Reading',
      content: '{author} reads from {title}, {day} at {time}. Free entry, tea on the house.',
    },
  ],
  prompts: [
    {
      title: 'Recommend a book',
      promptText:
        'Recommend this book in three sentences without giving its ending away. End with a question.',
      description: 'For the book of the week',
    },
    {
      title: 'After a reading',
      promptText: 'Thank the author and the guests of the reading. Quote one sentence from the evening.',
      description: 'The morning after',
    },
  ],
  sources: [
    {
      description: 'New titles from the distributor',
      source: 'https://distributor.example/night-market/new.csv',
    },
    { description: 'Calendar of readings', source: 'https://night-market-books.example/readings.ics' },
  ],
  users: [
    { firstName: 'Wei Ling', lastName: 'Tan', email: 'weiling@night-market-books.example', role: 'ADMIN' },
    { firstName: 'Ana', lastName: 'Ferreira', email: 'ana@harbour-coffee.example', role: 'EDITOR' },
    { firstName: 'Jonas', lastName: 'Brandt', email: 'jonas@night-market-books.example', role: 'VIEWER' },
  ],
  posts: [
    {
      content: 'The lamps are on, the shelves are full: we are open until midnight again.',
      media: 'https://night-market-books.example/photos/lamps.jpg',
      platforms: ['INSTAGRAM', 'FACEBOOK'],
      at: [-8, '18:00'],
    },
    {
      content: 'What was the last book that kept you up too late? Answers get a bookmark.',
      platforms: ['THREADS', 'X', 'REDDIT'],
      at: [-4, '21:00'],
    },
    {
      content: 'Sold out, and back tonight: the illustrated atlas of islands nobody lives on.',
      media: 'https://night-market-books.example/photos/atlas.jpg',
      platforms: ['INSTAGRAM', 'PINTEREST'],
      at: [-2, '18:30'],
    },
    {
      content: 'Book of the week: a crime story told by a lighthouse. Ask for it at the counter.',
      template: 0,
      platforms: ['INSTAGRAM', 'FACEBOOK', 'TELEGRAM'],
      at: [1, '19:00'],
    },
    {
      content: 'Poetry at the counter tonight: buy a book, read a poem, get a dumpling.',
      platforms: ['INSTAGRAM', 'TIKTOK', 'THREADS'],
      at: [2, '20:00'],
    },
    {
      content: 'Reading on Friday at eight. Free entry, tea on the house, cushions on the floor.',
      template: 1,
      platforms: ['FACEBOOK', 'LINKEDIN', 'TELEGRAM'],
      at: [4, '18:00'],
    },
    {
      content: 'A list of short books for long queues. Still looking for number seven.',
      platforms: ['X', 'THREADS'],
    },
  ],
  webhook: 'https://hooks.night-market-books.example/scheduling',
};

const harbourCoffee: SampleProject = {
  name: 'Harbour Coffee',
  description: 'A small roastery with a café at the harbour.',
  zone: 'Europe/Berlin',
  templates: [
    {
      name: 'New roast',
      content:
        'Fresh from the roaster: {coffee} from {country}. Tastes of {notes}. In the café and the shop from today.',
    },
    {
      name: 'Opening hours',
      content: 'Note our hours: {day}, {from} to {to}. The kitchen closes half an hour earlier.',
    },
    {
      name: 'Event',
      content: '{event} on {day} at {time}. Seats are few: write to us and we keep one for you.',
    },
  ],
  prompts: [
    {
      title: 'Describe a coffee',
      promptText:
        'Write two short sentences about this coffee for someone who has never tasted it. No superlatives.',
      description: 'For new roasts',
    },
    {
      title: 'Weekend at the harbour',
      promptText:
        'Invite people to the café this weekend. Mention the weather and one thing to eat. At most 240 characters.',
      description: 'Every Thursday',
    },
  ],
  sources: [
    { description: 'News from our own blog', source: 'https://harbour-coffee.example/blog/feed.xml' },
    { description: 'Photos of the week', source: 'https://photos.harbour-coffee.example/albums/week' },
    { description: 'Events at the harbour', source: 'https://harbour.example/calendar.ics' },
  ],
  users: [
    {
      firstName: 'Ana',
      lastName: 'Ferreira',
      email: 'ana@harbour-coffee.example',
      phoneNumber: '+351 21 555 0134',
      role: 'ADMIN',
    },
    { firstName: 'Ben', lastName: 'Okafor', email: 'ben@harbour-coffee.example', role: 'EDITOR' },
    { firstName: 'Mira', lastName: 'Lindqvist', email: 'mira@harbour-coffee.example', role: 'VIEWER' },
  ],
  posts: [
    {
      content: 'The new roaster is in. It is louder than the old one and we love it already.',
      media: 'https://photos.harbour-coffee.example/roaster.jpg',
      platforms: ['INSTAGRAM', 'FACEBOOK'],
      at: [-9, '10:00'],
    },
    {
      content: 'Thank you for a full house at the tasting! The next one is in two weeks.',
      platforms: ['INSTAGRAM', 'THREADS'],
      at: [-6, '18:30'],
    },
    {
      content: 'Rain all day? We have window seats, cardamom buns and free refills until four.',
      platforms: ['X', 'THREADS', 'FACEBOOK'],
      at: [-3, '08:15'],
    },
    {
      content: 'Back in the shop: Huila from Colombia. Red apple, brown sugar, a little lime.',
      media: 'https://photos.harbour-coffee.example/huila.jpg',
      template: 0,
      platforms: ['INSTAGRAM', 'FACEBOOK', 'PINTEREST'],
      at: [-1, '09:00'],
    },
    {
      content: 'Fresh from the roaster: Yirgacheffe from Ethiopia. Tastes of jasmine and peach. From today.',
      media: 'https://photos.harbour-coffee.example/yirgacheffe.jpg',
      template: 0,
      platforms: ['INSTAGRAM', 'FACEBOOK', 'X'],
      at: [1, '09:00'],
    },
    {
      content: 'We are looking for someone for the weekend shift. Good coffee and kind people guaranteed.',
      platforms: ['LINKEDIN', 'FACEBOOK'],
      at: [2, '12:00'],
    },
    {
      content: 'Cupping on Saturday at 11. Six coffees, one table, no previous knowledge needed.',
      template: 2,
      platforms: ['INSTAGRAM', 'THREADS', 'TELEGRAM'],
      at: [3, '17:00'],
    },
    {
      content: 'Two minutes on how we clean the grinder, and why your coffee tastes better for it.',
      media: 'https://videos.harbour-coffee.example/grinder.mp4',
      platforms: ['YOUTUBE', 'TIKTOK'],
      at: [5, '16:30'],
    },
    {
      content: 'Winter menu: ginger, orange, something with chestnuts? Ask the kitchen first.',
      platforms: ['INSTAGRAM'],
    },
    { content: 'Holiday opening hours, as soon as we know them.', template: 1, platforms: [] },
  ],
  webhook: 'https://hooks.harbour-coffee.example/scheduling',
};

const DAY_MS = 86_400_000;

/** Inserts the two sample projects into an empty database, in one transaction. Their dates are relative to `now`. */
export async function insertSamples(db: Kysely<ServiceSchema>, now: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const some = await transaction.selectFrom('projects').select('id').limit(1).executeTakeFirst();
    if (some !== undefined) return;
    for (const sample of [nightMarketBooks, harbourCoffee]) await insertProject(transaction, sample, now);
  });
}

async function insertProject(db: Kysely<ServiceSchema>, sample: SampleProject, now: Date): Promise<void> {
  const created = { created_at: new Date(now.getTime() - 14 * DAY_MS) };
  const { name, description } = sample;
  const projects = db.insertInto('projects').values({ name, description, ...created });
  const { id: projectId } = await projects.returning('id').executeTakeFirstOrThrow();
  const common = { project_id: projectId, ...created };
  const templates = await db
    .insertInto('templates')
    .values(sample.templates.map((template) => ({ ...common, ...template })))
    .returning('id')
    .execute();
  await db
    .insertInto('prompts')
    .values(
      sample.prompts.map(({ promptText, ...prompt }) => ({ ...common, ...prompt, prompt_text: promptText })),
    )
    .execute();
  const changed = { ...common, updated_at: created.created_at };
  await db
    .insertInto('sources')
    .values(sample.sources.map((source) => ({ ...changed, ...source })))
    .execute();
  await db
    .insertInto('users')
    .values(sample.users.map((user) => ({ ...changed, ...toUserRow(user) })))
    .execute();
  const posts = sample.posts.map((post, at) => ({
    project_id: projectId,
    ...toPostRow(post, sample.zone, now),
    template_id: post.template === undefined ? null : (templates[post.template]?.id ?? null),
    created_at: new Date(now.getTime() - (sample.posts.length - at) * DAY_MS - 10 * DAY_MS),
  }));
  await db.insertInto('posts').values(posts).execute();
  await db.insertInto('webhooks').values({ project_id: projectId, url: sample.webhook }).execute();
  const message = `The sample project ${name} was set up.`;
  await writeLog(db, now, { projectId, event: 'project.created', message });
}

function toUserRow({ firstName, lastName, email, phoneNumber, role }: SampleProject['users'][number]) {
  return {
    first_name: firstName,
    last_name: lastName,
    email,
    email_key: email.toLowerCase(),
    phone_number: phoneNumber ?? null,
    role,
    status: 'ACTIVE',
  };
}

function toPostRow({ content, media, platforms, at }: SamplePost, zone: string, now: Date) {
  const scheduleAt = at && new Date(computeInstant(at, zone, now));
  return {
    content,
    media: media ?? null,
    prompt_id: null,
    schedule_at: scheduleAt ?? null,
    timezone: scheduleAt === undefined ? null : zone,
    platforms,
    status: scheduleAt === undefined ? 'DRAFT' : scheduleAt <= now ? 'PUBLISHED' : 'SCHEDULED',
  };
}

/** The instant, in ms, of a local time a number of days from today in the zone. */
function computeInstant([days, time]: readonly [number, string], zone: string, now: Date): number {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now);
  return toInstant({ wall: Date.parse(`${today}T${time}:00Z`) + days * DAY_MS, offset: undefined }, zone);
}
