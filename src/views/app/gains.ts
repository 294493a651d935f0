import { drawGains } from '../draw/gains.ts';
import { readGains } from '../model/gains.ts';
import { show } from './show.ts';

show({ name: 'gains', title: 'Realised gains and losses', read: readGains, draw: drawGains });
