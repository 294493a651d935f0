/** A mutant is dead at the first example that fails; nobody reads a smaller one. */
import * as fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
