// Serves an empty bucket on a free port of the loopback interface, in a folder of its own.
// Prints its address, and ends when its input does.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import S3rver from '@20minutes/s3rver';

const directory = mkdtempSync(join(tmpdir(), 'ideavault-s3-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  configureBuckets: [{ name: 'vault' }],
});
const { address, port } = await server.run();
console.log(`http://${address}:${port}`);

process.stdin.resume().on('end', () => process.exit());
