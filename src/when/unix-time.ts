/** 2017 to 2033: other ten figures in a row are a telephone's. */
const SECONDS = /^@?(?<seconds>1[5-9]\d{8})(?:\d{3}|\.\d{1,6})?$/;

/** "1800000000", with milliseconds or a fraction too, as logs and Slack's own addresses write a moment. */
export function unixTime(text: string): Date | undefined {
  const seconds = SECONDS.exec(text)?.groups?.seconds;
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000);
}
