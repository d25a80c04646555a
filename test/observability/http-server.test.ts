import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, type TestContext, test } from 'vitest';
import { createSignedRequestListener } from '../../src/handlers/bolt/signed-requests.ts';
import { startHttpServer } from '../../src/observability/http-server.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { readOwnTime } from '../support/busyness.ts';
import { getWithHost, startTestServer } from './running-server.ts';

test('a running process is live, and is ready only if all systems that it needs are ready', async () => {
  let isNeededSystemReady = false;
  const { get } = await startTestServer({ isReady: async () => isNeededSystemReady });
  expect((await get('/health/live')).status).toBe(200);
  expect((await get('/health/ready')).status).toBe(503);
  isNeededSystemReady = true;
  expect((await get('/health/ready')).status).toBe(200);
});

test('the process is not ready if its readiness check fails', async () => {
  const { get } = await startTestServer({ isReady: () => Promise.reject(new Error('the database is gone')) });
  expect((await get('/health/ready')).status).toBe(503);
});

test('calls to the service are counted by operation and outcome', async () => {
  const metrics = createMetrics({});
  const { get } = await startTestServer({ metrics });
  metrics.countServiceCall({ operation: 'createPost', outcome: 'done', ms: 120 });
  metrics.countServiceCall({ operation: 'createPost', outcome: 'unknown', ms: 15_000 });
  const text = await (await get('/metrics')).text();
  expect(text).toContain('upnext_service_calls_total{operation="createPost",outcome="unknown"} 1');
  expect(text).toContain('upnext_service_call_seconds_bucket{le="0.25",operation="createPost"} 1');
});

test('without Slack over HTTP, the server serves only health checks and metrics', async () => {
  const { get } = await startTestServer();
  expect((await get('/slack/events')).status).toBe(404);
});

test('the port for Slack’s requests serves health checks and no metrics', async () => {
  const handleSlackRequest = (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(404).end();
  const { get } = await startTestServer({ handleSlackRequest });
  expect((await get('/health/live')).status).toBe(200);
  expect((await get('/metrics')).status).toBe(404);
});

test('the start fails with the error of the operating system if the port is in use', async () => {
  const otherServer = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => otherServer.once('listening', resolve));
  const address = otherServer.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(startTestServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  otherServer.close();
});

test('if the readiness check hangs, the process responds “not ready” before the probe times out', async () => {
  const { get } = await startTestServer({ isReady: () => new Promise(() => undefined) });
  expect((await get('/health/ready')).status).toBe(503);
});

/** Sends a request that never ends. Resolves with the time until its connection was closed (ms). */
function sendEndlessRequest(port: number, start: string, everyMs: number): Promise<number> {
  return new Promise((resolve) => {
    const startedAt = readOwnTime();
    const socket = connect(port, '127.0.0.1', () => socket.write(start));
    const writing = setInterval(() => socket.write('x'), everyMs);
    socket.on('error', () => undefined);
    socket.resume().once('close', () => {
      clearInterval(writing);
      resolve(readOwnTime() - startedAt);
    });
  });
}

test('hundreds of slow clients are disconnected, and other clients aren’t delayed', async () => {
  const slack = (incoming: IncomingMessage, response: ServerResponse) =>
    void incoming.resume().once('end', () => response.end());
  const { port, get } = await startTestServer({ handleSlackRequest: slack, requestTimeoutMs: 500 });
  const slowHeaders = 'POST /slack/events HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
  const slowBody = 'POST /slack/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n';
  const slowClients = Array.from({ length: 300 }, (_, index) =>
    sendEndlessRequest(port, index % 2 ? slowBody : slowHeaders, 50),
  );
  const startedAt = readOwnTime();
  expect((await get('/health/live')).status).toBe(200);
  expect(readOwnTime() - startedAt).toBeLessThan(2_000);
  for (const openMs of await Promise.all(slowClients)) expect(openMs).toBeLessThan(6_000);
});

test('headers that are larger than Slack’s are refused', async () => {
  const { port } = await startTestServer();
  const request = await fetch(`http://127.0.0.1:${port}/health/live`, {
    headers: { 'x-large': 'x'.repeat(9_000) },
  });
  expect(request.status).toBe(431);
});

test('closing the server waits for running requests, but not for requests that never end', async () => {
  const handling = Promise.withResolvers<void>();
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    health: { metrics: createMetrics({}), isReady: async () => true },
    handleSlackRequest: (_request, response) =>
      void handling.promise.then(() => response.end('acknowledged')),
  });
  const request = fetch(`http://127.0.0.1:${server.port}/slack/events`, { method: 'POST' });
  void sendEndlessRequest(server.port, 'POST /slack/events HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 1_000);
  await getWithHost(server.port, 'localhost', '/health/live');
  const closed = server.close();
  handling.resolve();
  expect(await (await request).text()).toBe('acknowledged');
  await closed;
});

describe('a client that sends endless requests', () => {
  test('a client with endless requests shares one readiness check with all other clients', async () => {
    const check = Promise.withResolvers<boolean>();
    let checkCount = 0;
    const { get } = await startTestServer({
      cacheMs: 60_000,
      isReady: () => {
        checkCount += 1;
        return check.promise;
      },
    });
    const requests = Array.from({ length: 100 }, () => get('/health/ready'));
    await expect.poll(() => checkCount).toBe(1);
    check.resolve(true);
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect([new Set(statuses), checkCount]).toEqual([new Set([200]), 1]);
    expect([(await get('/health/ready')).status, checkCount]).toEqual([200, 1]);
  });

  describe('over one connection', () => {
    const REQUEST = 'POST /slack/events HTTP/1.1\r\nHost: localhost\r\ncontent-length: 0\r\n\r\n';
    const startServerForSockets = async () => {
      let servedCount = 0;
      const { port, get } = await startTestServer({
        handleSlackRequest: () => {
          servedCount += 1;
        },
      });
      const connectClient = async () => {
        const socket = connect(port, '127.0.0.1')
          .setNoDelay()
          .on('error', () => undefined);
        const closed = new Promise((resolve) => socket.once('close', resolve));
        await new Promise<void>((resolve) => socket.once('connect', resolve));
        return { socket, closed };
      };
      return { connectClient, get, countServed: () => servedCount };
    };

    test('a client that sends many requests at once is disconnected before they are all parsed', async () => {
      const { connectClient, get, countServed } = await startServerForSockets();
      const earlierClient = await connectClient();
      const floodingClient = await connectClient();
      floodingClient.socket.write(REQUEST.repeat(5_000));
      await floodingClient.closed;
      expect(countServed()).toBe(8);
      const laterClient = await connectClient();
      for (const { socket, closed } of [earlierClient, laterClient]) {
        socket.write(REQUEST.repeat(5_000));
        await closed;
      }
      expect(countServed()).toBe(8);
      expect((await get('/health/live')).status).toBe(200);
    });

    test('a client that sends requests without waiting for responses is disconnected', async () => {
      const { connectClient, countServed } = await startServerForSockets();
      const { socket, closed } = await connectClient();
      const sendNextRequest = () =>
        void (socket.writable && socket.write(REQUEST, () => setImmediate(sendNextRequest)));
      sendNextRequest();
      await closed;
      expect(countServed()).toBe(8);
    });

    test('a client that waits for each response is served, while other clients are disconnected', async () => {
      const { connectClient, get } = await startServerForSockets();
      const { socket, closed } = await connectClient();
      const requestStatusLine = async () => {
        const response = new Promise<string>((resolve) =>
          socket.once('data', (data) => resolve(String(data))),
        );
        socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
        return (await response).split('\r\n')[0];
      };
      expect(await requestStatusLine()).toBe('HTTP/1.1 200 OK');
      const otherClient = await connectClient();
      otherClient.socket.write(REQUEST.repeat(5_000));
      await otherClient.closed;
      for (let times = 0; times < 20; times += 1) expect(await requestStatusLine()).toBe('HTTP/1.1 200 OK');
      socket.destroy();
      await closed;
      expect((await get('/health/live')).status).toBe(200);
    });
  });

  test('a client finds no health checks if they are served on another port', async () => {
    const { get } = await startTestServer({ health: undefined });
    expect((await get('/metrics')).status).toBe(404);
    expect((await get('/health/ready')).status).toBe(404);
  });
});

describe.concurrent('connections that stay open', () => {
  const GET_REQUEST = 'GET /slack HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  /** Sends two requests over one connection with a pause between them. Resolves with the number of responses. */
  async function sendTwice({ expect }: TestContext, port: number, pauseMs: number, sent = GET_REQUEST) {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    const countResponses = () => received.split('HTTP/1.1 200').length - 1;
    const send = () => socket.write(sent);
    const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
    send();
    await expect.poll(countResponses).toBe(1);
    await delay(pauseMs);
    send();
    await Promise.race([expect.poll(countResponses).toBe(2), closed]);
    socket.destroy();
    return countResponses();
  }
  const handleSlackRequest = (_request: IncomingMessage, response: ServerResponse) => void response.end('ok');

  test('an idle connection outlasts the time limit of a request, for load balancers', async (context) => {
    const { port } = await startTestServer({ requestTimeoutMs: 100, handleSlackRequest }, context);
    expect(await sendTwice(context, port, 1_500)).toBe(2);
  });

  test('control test: an idle connection is closed after its own time limit', async (context) => {
    const { port } = await startTestServer(
      { requestTimeoutMs: 100, keepAliveMs: 1, handleSlackRequest },
      context,
    );
    expect(await sendTwice(context, port, 2_500)).toBe(1);
  });

  test.for([
    ['is kept after a signed request', 'text=1', 'a secret', 2],
    ['is closed after an unsigned certificate check', 'ssl_check=1&token=x', 'another secret', 1],
  ] as const)('an idle connection %s', async ([_what, body, secret, responses], context) => {
    const handleSlackRequest = createSignedRequestListener({
      signingSecret: 'a secret',
      handle: (_request, respond) => respond({ status: 200, body: 'ok' }),
    });
    const { port } = await startTestServer({ keepAliveMs: 1, handleSlackRequest }, context);
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
    const headers = [
      'POST /slack/events HTTP/1.1',
      'Host: 127.0.0.1',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      `X-Slack-Request-Timestamp: ${timestamp}`,
      `X-Slack-Signature: v0=${signature}`,
    ];
    expect(await sendTwice(context, port, 2_500, `${headers.join('\r\n')}\r\n\r\n${body}`)).toBe(responses);
  });

  test('after a health check, an idle connection is soon closed, because anybody may request it', async (context) => {
    const { port } = await startTestServer({}, context);
    const socket = connect(port, '127.0.0.1');
    const startedAt = readOwnTime();
    socket.write('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect(readOwnTime() - startedAt).toBeLessThan(30_000);
  });
});
