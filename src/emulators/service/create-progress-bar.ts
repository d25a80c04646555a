const WIDTH = 30;

/** A progress bar for loadPosts' `onProgress`: one redrawn line on a terminal, else a line for each tenth. */
export function createProgressBar(output: { isTTY?: boolean; write(text: string): unknown }) {
  let shown = -1;
  return (done: number, all: number): void => {
    const percent = Math.floor((done / all) * 100);
    const step = output.isTTY ? percent : Math.floor(percent / 10);
    if (step === shown) return;
    shown = step;
    const filled = Math.round((done / all) * WIDTH);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
    const line = `${bar} ${percent} %  ${done.toLocaleString('en')} of ${all.toLocaleString('en')} posts`;
    output.write(output.isTTY ? `\r${line}${done === all ? '\n' : ''}` : `${line}\n`);
  };
}
