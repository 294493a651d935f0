/** A separate process for the hostile clients: `SCENARIO PORT TOKEN`. It ends with its input. */
import { attacks } from './attacks.ts';

const [scenario = '', port, token = ''] = process.argv.slice(2);
process.stdin.resume().once('end', () => process.exit());
process.stdout.write('begun\n');
await attacks[scenario]?.({ port: Number(port), token });
