import { expect, test } from 'vitest';
import { classifySmallTalk } from '../../../src/features/welcome/small-talk.ts';

test.each([
  'hello',
  'Hi there!',
  'hey upnext 👋',
  'good morning :wave:',
  'Hallo zusammen',
  'Guten Morgen',
  'Bonjour à tous',
  'Salut !',
  '¡Hola!',
  'Buenos días',
  'Olá',
  'Bom dia',
  'Ciao',
  'Buongiorno',
  'Goedemorgen',
  'goede middag',
  'こんにちは',
  'おはようございます。',
])('“%s” is a greeting', (text) => expect(classifySmallTalk(text)).toBe('greeting'));

test.each([
  'thanks',
  'Thank you so much!',
  'thx 🙏🏽',
  'Danke schön',
  'Vielen Dank!',
  'merci beaucoup',
  'Muchas gracias',
  'obrigada',
  'Grazie mille',
  'dankjewel',
  'Dank je wel!',
  'ありがとうございます',
])('“%s” is thanks', (text) => expect(classifySmallTalk(text)).toBe('thanks'));

test.each([
  'hello world is the text of my post',
  'hi, when is the next post?',
  'thanks for nothing, delete it',
  'thanksgiving',
  'history',
  'danke, und was kommt als nächstes?',
  'good',
  '',
])('“%s” is neither a greeting nor thanks', (text) => expect(classifySmallTalk(text)).toBeUndefined());

test('a long line of repeated words is read at once', () => {
  const startedAt = performance.now();
  classifySmallTalk(`thanks${' you'.repeat(48)} x`);
  classifySmallTalk(`hi${'i'.repeat(190)}x`);
  expect(performance.now() - startedAt).toBeLessThan(100);
});
