import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { identifyClient, parseProxies } from '../src/clients.ts';
import { listenOnFreePort } from './support/listening-port.ts';

const PROXIES = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'];

/** Sends a request from this machine with these forwarded addresses. Returns the client's address. */
async function identifyTestClient(forwarded: string | string[] | undefined, proxies = PROXIES) {
  const trusted = parseProxies(proxies);
  const server = createServer((request, response) => response.end(identifyClient(request, trusted)));
  const port = await listenOnFreePort(server);
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const client = await new Promise<string>((resolve, reject) => {
    request({ host: '127.0.0.1', port, headers }, (response) => {
      text(response).then(resolve, reject);
    })
      .once('error', reject)
      .end();
  });
  server.close();
  return client;
}

test.each<[string, string | string[], string]>([
  ['the client’s address', '192.0.2.7', '192.0.2.7'],
  ['the address of a second trusted proxy', '192.0.2.7, 10.1.2.3', '192.0.2.7'],
  ['an address that the client invented', '198.51.100.1, 192.0.2.7', '192.0.2.7'],
  ['a trusted proxy’s address that the client invented', '10.9.9.9, 192.0.2.7, 10.1.2.3', '192.0.2.7'],
  ['several headers', ['198.51.100.1', '192.0.2.7', '10.1.2.3'], '192.0.2.7'],
  ['a port', '192.0.2.7:51234', '192.0.2.7'],
  ['an IPv6 address', '2001:db8:1:2:3::4', '2001:db8:1::/48'],
  ['an IPv6 address with brackets and a port', '[2001:DB8:1:ffff::4]:443', '2001:db8:1::/48'],
  ['an IPv6 address with leading zeros', '::1', '0:0:0::/48'],
  ['an IPv4 address within IPv6', '::ffff:192.0.2.7', '192.0.2.7'],
  ['an IPv4 address within IPv6, in hexadecimal', '::FFFF:C000:0207', '192.0.2.7'],
  ['a trusted proxy in IPv6', '192.0.2.7, fd00::12', '192.0.2.7'],
  ['a trusted proxy as IPv4 within IPv6', '192.0.2.7, ::ffff:10.1.2.3', '192.0.2.7'],
  ['only trusted proxies', '10.1.2.3', '10.1.2.3'],
  ['no address', 'unknown', '127.0.0.1'],
  ['garbage after an address', '192.0.2.7, <script>', '127.0.0.1'],
  ['empty entries', '192.0.2.7,,', '127.0.0.1'],
  ['an empty header', '', '127.0.0.1'],
  ['hundreds of hops', Array.from({ length: 500 }, () => '10.0.0.1').join(','), '10.0.0.1'],
])('the client is identified behind a trusted proxy that forwards %s', async (_kind, forwarded, client) => {
  expect(await identifyTestClient(forwarded)).toBe(client);
});

test('addresses that an untrusted proxy forwards are ignored', async () => {
  expect(await identifyTestClient('192.0.2.7', ['10.0.0.0/8'])).toBe('127.0.0.1');
  expect(await identifyTestClient('192.0.2.7', [])).toBe('127.0.0.1');
  expect(await identifyTestClient(undefined)).toBe('127.0.0.1');
});

test('a request whose socket is closed has no address', () => {
  const request = { headers: { 'x-forwarded-for': '192.0.2.7' }, socket: { remoteAddress: undefined } };
  expect(identifyClient(request, parseProxies(PROXIES))).toBe('');
});
