import { drawAllocation } from '../draw/allocation.ts';
import { readPortfolio } from '../model/portfolio.ts';
import { show } from './show.ts';

show({ name: 'allocation', title: 'Allocation', read: readPortfolio, draw: drawAllocation });
