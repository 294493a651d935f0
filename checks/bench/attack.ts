/** A process of its own for the clients that mean harm: `SCENARIO PORT TOKEN`. It ends with its input. */
import { attacks } from './attacks.ts';

const [scenario = '', port, token = ''] = process.argv.slice(2);
process.stdin.resume().once('end', () => process.exit());
process.stdout.write('begun\n');
await attacks[scenario]?.({ port: Number(port), token });
