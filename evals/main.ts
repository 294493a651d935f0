import { orders } from './orders.ts';
import { scripts } from './scripts.ts';
import { portfolio } from './portfolio.ts';
import { playEval } from './play/play.ts';
import { ideal } from './models/ideal.ts';
for (const e of [...portfolio, ...orders, ...scripts]) {
  if (process.argv[2] && !process.argv[2].split(',').some((w) => e.id.includes(w) || e.group === w)) continue;
  const plays = await playEval(e, ideal, { binary: 'dist/brokerage-mcp.cjs', limitScale: 0.01, instrumentCount: 15000, phases: ['cold','warm'], requestsCount: true });
  for (const p of plays) console.log(e.id, p.phase, p.requests, '/', p.allowed, p.tokens, p.ms.toFixed(0), JSON.stringify(p.problems), p.problems.length ? JSON.stringify(p.said) : '');
}
