import { openStage } from '../emulators/page/page-driver.ts';

/**
 * Scrolls a channel of a thousand messages in the practice workspace to its beginning and back, by the step of a mouse
 * wheel in each frame. The page fetches older messages on the way up. No frame may take longer than the limit.
 */

const MESSAGES = 1_000;
const MAX_FRAME_MS = 50;
/** A fast mouse wheel, px in each frame. */
const STEP = 120;

export async function scrolling(): Promise<void> {
  const stage = await openStage();
  try {
    const { client } = stage.examples;
    for (let count = 1; count <= MESSAGES; count += 1) {
      await client.chat.postMessage({
        channel: 'C01GENERAL',
        text: `Number ${count}`,
        ...createExampleMessage(count),
      });
    }
    const page = await stage.open();
    const text = page.getByText(`Number ${MESSAGES}`);
    await text.waitFor();
    await page.evaluate(MEASURE);
    const idle = await page.evaluate<number[]>(`measureFrames(() => false, 60)`);
    const up = await page.evaluate<number[]>(`scrollMessages(-${STEP})`);
    const loaded = await page.locator('.message').count();
    const down = await page.evaluate<number[]>(`scrollMessages(${STEP})`);
    console.log(
      `  ${loaded} messages in the channel, ${STEP} px in each frame (limit: ${MAX_FRAME_MS} ms a frame)`,
    );
    for (const [name, frames] of Object.entries({ idle, 'up, fetching messages': up, down }))
      print(name, frames);
  } finally {
    await stage.close();
  }
}

/** Creates a message. Every tenth message looks like one from an app, all others like messages from people. */
function createExampleMessage(count: number): object {
  if (count % 10 > 0)
    return { text: `Number ${count}: *Fresh roast* is in, see <https://example.com|the menu> :coffee:` };
  const createText = (text: string) => ({ type: 'plain_text', text });
  return {
    blocks: [
      { type: 'header', text: createText(`Number ${count}`) },
      { type: 'section', fields: [createText('When'), createText('Platforms')] },
      {
        type: 'actions',
        elements: [
          { type: 'button', action_id: 'share', text: createText('Share') },
          { type: 'static_select', action_id: 'x', options: [{ text: createText('X'), value: 'x' }] },
        ],
      },
    ],
  };
}

/** Code for the page: runs a step in each frame, and returns the ms between frames. */
const MEASURE = `
  window.measureFrames = (step, max = 20000) => new Promise((resolve) => {
    const frames = [];
    let before = performance.now();
    let still = 0;
    const frame = (now) => {
      frames.push(now - before);
      before = now;
      still = step() ? 0 : still + 1;
      if (still > 45 || frames.length > max) resolve(frames.slice(1));
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

function print(name: string, frames: readonly number[]): void {
  const sorted = frames.toSorted((a, b) => a - b);
  const formatPercentile = (share: number) =>
    (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN).toFixed(1);
  const overCount = frames.filter((ms) => ms > MAX_FRAME_MS).length;
  console.log(
    `  ${name.padEnd(24)} ${String(frames.length).padStart(5)} frames  p50 ${formatPercentile(0.5)} ms  p99 ${formatPercentile(0.99)} ms  longest ${formatPercentile(1)} ms  ${overCount} over ${MAX_FRAME_MS} ms`,
  );
}
