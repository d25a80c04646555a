import { openPageFixture } from '../test/page/page-driver.ts';
import { startBrowser } from '../test/support/browser.ts';

/**
 * Scrolls a channel of a thousand messages in the practice workspace to its beginning and back, by STEP_PX in each
 * frame. The page fetches older messages on the way up. Reports the number of
 * frames longer than MAX_FRAME_MS.
 */

const MESSAGE_COUNT = 1_000;
const MAX_FRAME_MS = 50;
/** Distance in each frame, as with a fast mouse wheel. */
const STEP_PX = 120;

async function measureScrolling(): Promise<void> {
  const fixture = await openPageFixture(startBrowser);
  try {
    const { client } = fixture.examples;
    for (let count = 1; count <= MESSAGE_COUNT; count += 1) {
      await client.chat.postMessage({
        channel: 'C01GENERAL',
        text: `Number ${count}`,
        ...createExampleMessage(count),
      });
    }
    const page = await fixture.open();
    const lastMessage = page.getByText(`Number ${MESSAGE_COUNT}`);
    await lastMessage.waitFor();
    await page.evaluate(MEASURING_CODE);
    const idle = await page.evaluate<number[]>(`measureFrames(() => false, 60)`);
    const up = await page.evaluate<number[]>(`scrollMessages(-${STEP_PX})`);
    const loadedCount = await page.locator('.message').count();
    const down = await page.evaluate<number[]>(`scrollMessages(${STEP_PX})`);
    console.log(
      `  ${loadedCount} messages in the channel, ${STEP_PX} px in each frame (limit: ${MAX_FRAME_MS} ms a frame)`,
    );
    for (const [name, frames] of Object.entries({ idle, 'up, fetching messages': up, down }))
      printFrames(name, frames);
  } finally {
    await fixture.close();
  }
}

/** Creates a message. Every tenth message looks like one from an app, all others like messages from people. */
function createExampleMessage(messageNumber: number): object {
  if (messageNumber % 10 > 0)
    return {
      text: `Number ${messageNumber}: *Fresh roast* is in, see <https://example.com|the menu> :coffee:`,
    };
  const createPlainText = (text: string) => ({ type: 'plain_text', text });
  return {
    blocks: [
      { type: 'header', text: createPlainText(`Number ${messageNumber}`) },
      { type: 'section', fields: [createPlainText('When'), createPlainText('Platforms')] },
      {
        type: 'actions',
        elements: [
          { type: 'button', action_id: 'share', text: createPlainText('Share') },
          { type: 'static_select', action_id: 'x', options: [{ text: createPlainText('X'), value: 'x' }] },
        ],
      },
    ],
  };
}

/**
 * Code for the page. `measureFrames` calls `step` in each frame. `step` returns whether it changed anything. The
 * measurement ends after 46 frames in a row without a change, or after `max` frames, and resolves with the durations of
 * the frames (ms).
 */
const MEASURING_CODE = `
  window.measureFrames = (step, max = 20000) => new Promise((resolve) => {
    const frames = [];
    let lastFrameAt = performance.now();
    let idleFrames = 0;
    const frame = (now) => {
      frames.push(now - lastFrameAt);
      lastFrameAt = now;
      idleFrames = step() ? 0 : idleFrames + 1;
      if (idleFrames > 45 || frames.length > max) resolve(frames.slice(1));
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  window.scrollMessages = (px) => {
    const list = document.querySelector('.messages');
    return measureFrames(() => {
      const before = [list.scrollTop, list.scrollHeight];
      list.scrollTop += px;
      return list.scrollTop !== before[0] || list.scrollHeight !== before[1];
    });
  };
`;

function printFrames(name: string, frames: readonly number[]): void {
  const sorted = frames.toSorted((a, b) => a - b);
  const formatPercentile = (share: number) =>
    (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN).toFixed(1);
  const slowCount = frames.filter((ms) => ms > MAX_FRAME_MS).length;
  console.log(
    `  ${name.padEnd(24)} ${String(frames.length).padStart(5)} frames  p50 ${formatPercentile(0.5)} ms  p99 ${formatPercentile(0.99)} ms  longest ${formatPercentile(1)} ms  ${slowCount} over ${MAX_FRAME_MS} ms`,
  );
}

await measureScrolling();
