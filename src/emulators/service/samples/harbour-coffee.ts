import type { SampleProject } from './sample-project.ts';

export const harbourCoffee: SampleProject = {
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
