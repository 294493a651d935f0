/** The names of the file formats alone: the table of commands is loaded at each start, and needs no more. */
export const fileFormatNames = ['portfolio_performance', 'ghostfolio', 'cgt_calc', 'beancount'] as const;
export type FileFormatName = (typeof fileFormatNames)[number];
