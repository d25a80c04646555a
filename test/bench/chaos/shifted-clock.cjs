// Loaded before the app, moves this process's wall clock by CLOCK_OFFSET_MS. Doesn't change performance.now.
const offset = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const TrueDate = Date;
const now = () => TrueDate.now() + offset;

globalThis.Date = new Proxy(TrueDate, {
  apply: () => new TrueDate(now()).toString(),
  construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
