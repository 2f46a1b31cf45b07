// Whether a server and this extension speak the same language.

/** Versions fit when they differ in nothing but their last part. */
export function fits(server: string, client: string): boolean {
  return server !== "" && release(server) === release(client);
}

/** Whether `server` is the older one. */
export function isOlder(server: string, client: string): boolean {
  return release(server).localeCompare(release(client), undefined, { numeric: true }) < 0;
}

/** Major and minor. */
export function release(version: string): string {
  return /^\d+\.\d+/.exec(version)?.[0] ?? version;
}
