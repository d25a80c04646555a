import { describe, expect, test } from 'vitest';
import { findEmailFault, parseDomain, parseInvitation } from '../../../src/features/users/invitation.ts';

describe('an email address', () => {
  test.each([
    'ana@example.com',
    ' ana@example.com ',
    'ana+news@example.co.uk',
    'josé@bücher.example',
    '用户@例子.广告',
    'अनु@उदाहरण.भारत',
    '"ana maria"@example.com',
    "o'brien@example.com",
    'ana@[192.0.2.1]',
    'ana@localhost',
  ])('the address %s is accepted', (address) => {
    expect(findEmailFault(address)).toBeUndefined();
  });

  test.each([
    'ana',
    '@example.com',
    'ana@',
    'ana@@example.com',
    'ana@example.com\r\nBcc: all@example.com',
    'ana@example.com, ben@example.com',
    'Ana <ana@example.com>',
    'ana @example.com',
    'ana@exa\u202emple.com',
    'an\u200ba@example.com',
    'ana@example.com\u0000',
    `${'a'.repeat(50_000)} @`,
  ])('the address %j is rejected', (address) => {
    expect(findEmailFault(address)).toBeTypeOf('string');
  });
});

test.each([
  ['ana@EXAMPLE.com', 'example.com'],
  ['ana@example.com.', 'example.com'],
  ['ana@bücher.example', 'xn--bcher-kva.example'],
  ['ana@xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['"a@b"@example.com', 'example.com'],
  ['ana@[192.0.2.1]', '[192.0.2.1]'],
])('the domain of %s is %s', (address, domain) => {
  expect(parseDomain(address)).toBe(domain);
});

test.each([
  ['', {}],
  ['ana@example.com Ana Ferreira', { email: 'ana@example.com', first: 'Ana', last: 'Ferreira' }],
  ['Ana de Souza <ana@example.com>', { email: 'ana@example.com', first: 'Ana', last: 'de Souza' }],
  ['<mailto:ana@example.com|ana@example.com> Ana', { email: 'ana@example.com', first: 'Ana' }],
  ['ana@example.com, Ana', { email: 'ana@example.com', first: 'Ana' }],
])('the text “%s” is parsed as %j', (text, expected) => {
  expect(parseInvitation(text)).toEqual(expected);
});
