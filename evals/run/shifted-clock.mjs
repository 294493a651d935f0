/**
 * Loaded before the server: `node --import`. The process believes another moment, and its time runs on as
 * always; nothing else about the program is different. So every run sees the same account on the same day.
 */
const shiftMs = Number(process.env.EVALS_CLOCK_SHIFT_MS ?? 0);
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }
  static now() {
    return now();
  }
};
