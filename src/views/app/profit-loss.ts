import { drawProfitLoss } from '../draw/profit-loss.ts';
import { readPortfolio } from '../model/portfolio.ts';
import { show } from './show.ts';

show({ name: 'profit-loss', title: 'Profit and loss', read: readPortfolio, draw: drawProfitLoss });
