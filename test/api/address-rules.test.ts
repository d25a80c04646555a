import { describe, expect, test } from 'vitest';
import { isAllowedAddress, parseServiceAddress } from '../../src/api/address-rules.ts';

const PUBLIC = { allowPrivate: false };
const parseAddress = (text: string, rules: Parameters<typeof parseServiceAddress>[1] = PUBLIC) =>
  parseServiceAddress(text, rules);

describe('the address of a service, entered in Slack', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com/'],
    ['  https://api.example.com/v2/  ', 'https://api.example.com/v2/'],
    ['HTTPS://API.Example.COM:8443', 'https://api.example.com:8443/'],
    ['https://8.8.8.8', 'https://8.8.8.8/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
  ])('the service address %s is accepted', (text, url) => expect(parseAddress(text)).toEqual({ url }));

  test.each([
    ['', 'not-an-address'],
    ['api.example.com', 'not-an-address'],
    ['https:api.example.com', 'not-an-address'],
    ['https:/api.example.com', 'not-an-address'],
    ['https://', 'not-an-address'],
    ['https://api.example.com\\@evil.example.com', 'not-an-address'],
    ['https://api.exa\u200bmple.com', 'not-an-address'],
    ['https://api.example.com/\u0000', 'not-an-address'],
    ['<https://api.example.com|good>', 'not-an-address'],
    ['http://api.example.com', 'not-https'],
    ['http://169.254.169.254', 'not-https'],
    ['javascript://api.example.com/%0aalert(1)', 'not-https'],
    ['file:///etc/passwd', 'not-an-address'],
    ['ftp://api.example.com', 'not-https'],
    ['https://user:pass@host.example.com', 'credentials'],
    ['https://@host.example.com', 'credentials'],
    ['https://api.example.com/?token=1', 'query-or-fragment'],
    ['https://api.example.com/?', 'query-or-fragment'],
    ['https://api.example.com/#x', 'query-or-fragment'],
    [`https://api.example.com/${'x'.repeat(500)}`, 'too-long'],
    ['https://169.254.169.254', 'private'],
    ['https://[::ffff:127.0.0.1]', 'private'],
    ['https://2130706433', 'private'],
    ['https://0x7f000001', 'private'],
    ['https://0x7f.1', 'private'],
    ['https://017700000001', 'private'],
    ['https://127.1', 'private'],
    ['https://１２７.0.0.1', 'private'],
    ['https://0', 'private'],
    ['https://[::]', 'private'],
    ['https://[::1]', 'private'],
    ['https://10.0.0.8', 'private'],
    ['https://[fd12:3456::1]', 'private'],
    ['https://[fe80::1]', 'private'],
    ['https://[64:ff9b::7f00:1]', 'private'],
    ['https://posts.local', 'private'],
    ['https://posts.LOCAL.', 'private'],
    ['https://posts.svc.cluster.local:8443', 'private'],
    ['https://posts.internal', 'private'],
    ['https://posts.home.arpa', 'private'],
    ['https://app.localhost', 'private'],
    ['https://localhost', 'private'],
    ['https://intranet', 'private'],
  ])('the service address %s is refused: %s', (text, fault) => expect(parseAddress(text)).toEqual({ fault }));

  test('if there is a list of hosts, a service address must have a host from it', () => {
    const rules = { ...PUBLIC, allowedHosts: ['api.example.com', '*.posts.example.com'] };
    for (const allowedHost of ['api.example.com', 'eu.posts.example.com', 'api.example.com.'])
      expect(parseAddress(`https://${allowedHost}`, rules)).toHaveProperty('url');
    for (const refusedHost of [
      ...['example.com', 'posts.example.com', 'evil-posts.example.com', 'api.example.com.evil.com'],
    ])
      expect(parseAddress(`https://${refusedHost}`, rules)).toEqual({ fault: 'host-not-allowed' });
  });

  test.each(['posts.local', 'posts.internal', 'intranet'])(
    'the private name %s is accepted only if the configuration allows it',
    (host) => {
      expect(parseAddress(`https://${host}`, { allowPrivate: true })).toHaveProperty('url');
      expect(parseAddress(`https://${host}`, { ...PUBLIC, allowedHosts: [host] })).toHaveProperty('url');
      expect(
        parseAddress(`https://${host}`, { allowPrivate: true, allowedHosts: ['api.example.com'] }),
      ).toEqual({ fault: 'host-not-allowed' });
      expect(parseAddress(`https://${host}.example.com`)).toHaveProperty('url');
    },
  );

  test('a service address may be private if the settings allow it, but never a cloud’s metadata address', () => {
    const rules = { allowPrivate: true };
    for (const allowedHost of ['127.0.0.1', '10.0.0.8', '[::1]', '[::ffff:10.0.0.8]', '[fd12:3456::1]'])
      expect(parseAddress(`https://${allowedHost}`, rules)).toHaveProperty('url');
    for (const refusedHost of ['169.254.169.254', '[::ffff:169.254.169.254]', '224.0.0.1', '0.0.0.0'])
      expect(parseAddress(`https://${refusedHost}`, rules)).toEqual({ fault: 'private' });
    expect(parseAddress('http://127.0.0.1', rules)).toEqual({ fault: 'not-https' });
  });
});

describe('where private addresses are allowed', () => {
  test.each([
    ...'168.63.129.16 100.100.100.200 192.0.0.192 fd00:100::100:200 fd00:c1::a9fe:a9fe'.split(' '),
    ...'fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fd20:00ce:0::0254 fd00:42::42 fd00:a9fe:a9fe::1'.split(' '),
    ...'fe80::1%eth0 ::ffff:100.100.100.200 64:ff9b::168.63.129.16'.split(' '),
  ])('the metadata address %s is still refused', (address) => {
    expect(isAllowedAddress(address, true)).toBe(false);
  });

  test.each([
    ['IPv4-compatible', (high: string, low: string) => `::${high}:${low}`],
    ['IPv4-mapped', (high: string, low: string) => `::ffff:${high}:${low}`],
    ['IPv4-translated', (high: string, low: string) => `::ffff:0:${high}:${low}`],
    ['NAT64', (high: string, low: string) => `64:ff9b::${high}:${low}`],
    ['a network’s NAT64 (96 bits)', (high: string, low: string) => `64:ff9b:1::${high}:${low}`],
    [
      'a network’s NAT64 (64 bits)',
      (high: string, low: string) =>
        `64:ff9b:1:0:${high.slice(0, 2)}:${high.slice(2)}${low.slice(0, 2)}:${low.slice(2)}00:0`,
    ],
    [
      'a network’s NAT64 (56 bits)',
      (high: string, low: string) => `64:ff9b:1:${high.slice(0, 2)}:${high.slice(2)}:${low}::`,
    ],
    [
      'a network’s NAT64 (48 bits)',
      (high: string, low: string) => `64:ff9b:1:${high}:${low.slice(0, 2)}:${low.slice(2)}00::`,
    ],
    ['6to4', (high: string, low: string) => `2002:${high}:${low}::1`],
    ['ISATAP', (high: string, low: string) => `fd12:3456::5efe:${high}:${low}`],
    ['ISATAP of a public address', (high: string, low: string) => `fd12:3456::200:5efe:${high}:${low}`],
  ])('a metadata address within IPv6 is refused and a private one isn’t: %s', (_, embed) => {
    expect(isAllowedAddress(embed('a9fe', 'a9fe'), true)).toBe(false);
    expect(isAllowedAddress(embed('0a00', '0108'), true)).toBe(true);
  });

  test('Teredo addresses, which obscure an IPv4 address, are refused', () => {
    expect(isAllowedAddress('2001::a9fe:a9fe:0:0:5601:5601', true)).toBe(false);
  });

  test.each(['127.0.0.1', '::1', '10.0.0.8', 'fd12:3456::1', '2606:4700::1111', '168.63.129.17'])(
    'the address %s is allowed',
    (address) => expect(isAllowedAddress(address, true)).toBe(true),
  );
});

test.each([
  ...['0.1.2.3', '10.255.255.255', '100.64.0.1', '127.0.0.53', '169.254.0.1', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.19.255.255', '203.0.113.9', '224.0.0.251'],
  ...['239.255.255.250', '240.0.0.1', '255.255.255.255', '::ffff:8.8.8.8', '::ffff:0a00:0001', '::8.8.8.8'],
  ...['fc00::1', 'ff02::1', '168.63.129.16', '2606:4700::5efe:10.0.0.8', '2001:db8::1', '2002:7f00:1::'],
  ...['2001::1', 'not an address', ''],
])('the address “%s” is not public', (address) => expect(isAllowedAddress(address, false)).toBe(false));

test.each('1.1.1.1 172.15.0.1 172.32.0.1 100.128.0.1 192.167.0.1 2606:4700::1111 2a00:1450::1'.split(' '))(
  'the address %s is public',
  (address) => expect(isAllowedAddress(address, false)).toBe(true),
);
