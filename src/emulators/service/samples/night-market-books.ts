import type { SampleProject } from './sample-project.ts';

export const nightMarketBooks: SampleProject = {
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
