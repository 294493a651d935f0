/** The ways in which a person can approve. */
export const approvalMethods = ['page', 'terminal', 'elicitation'] as const;
export type ApprovalMethod = (typeof approvalMethods)[number];

interface MethodFacts {
  /** An approval by one method counts where another one is required that is no stricter. */
  readonly strictness: number;
  /** Whether it takes the owner’s passphrase, from a person who sees what this program shows. */
  readonly needsPassphrase: boolean;
  /** What a host can open for its person; undefined where it can open nothing. */
  readonly hostOpens: 'page' | 'form' | undefined;
}

/** Everything in which the methods differ. `none`: orders need no approval, which is never so in live. */
export const methodFacts: Readonly<Record<ApprovalMethod | 'none', MethodFacts>> = {
  none: { strictness: 0, needsPassphrase: false, hostOpens: undefined },
  elicitation: { strictness: 1, needsPassphrase: false, hostOpens: 'form' },
  page: { strictness: 2, needsPassphrase: true, hostOpens: 'page' },
  terminal: { strictness: 3, needsPassphrase: true, hostOpens: undefined },
};
