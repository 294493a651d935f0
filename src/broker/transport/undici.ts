/** What the transport takes of undici: a file of its own in the build, loaded with the first request. */
export { buildConnector, Client, Pool } from 'undici';
