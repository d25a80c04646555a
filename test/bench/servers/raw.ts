import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

/** A minimal Node server that only checks signatures. Prints its port. */

const { SLACK_SIGNING_SECRET = '' } = process.env;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const signedText = `v0:${request.headers['x-slack-request-timestamp']}:${Buffer.concat(chunks).toString()}`;
    const computedSignature = Buffer.from(
      `v0=${createHmac('sha256', SLACK_SIGNING_SECRET).update(signedText).digest('hex')}`,
    );
    const sentSignature = Buffer.from(String(request.headers['x-slack-signature']));
    const isValid =
      sentSignature.length === computedSignature.length && timingSafeEqual(sentSignature, computedSignature);
    response.writeHead(isValid ? 200 : 401).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`port ${typeof address === 'object' ? address?.port : address}`);
});
