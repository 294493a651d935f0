/** Which questions to the user a host declares that it can show. It does not prove that a person is there. */
import type { HostInteraction } from './tool.ts';

/** The capability of a host, with what it can show; empty for older clients, which show forms. */
interface DeclaredElicitation {
  readonly form?: object | undefined;
  readonly url?: object | undefined;
}

export const readAbilities = (
  declared: DeclaredElicitation | undefined,
): Pick<HostInteraction, 'canForm' | 'canUrl'> => ({
  canForm: declared !== undefined && (declared.form !== undefined || declared.url === undefined),
  canUrl: declared?.url !== undefined,
});
