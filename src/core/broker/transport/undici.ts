/** The parts of undici that the transport uses. A file of its own in the build, loaded with the first request. */
export { buildConnector, Client, Pool } from 'undici';
