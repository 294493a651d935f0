import { drawDividends } from '../draw/dividends.ts';
import { readDividends } from '../model/dividends.ts';
import { show } from './show.ts';

show({ name: 'dividends', title: 'Dividends', read: readDividends, draw: drawDividends });
