/** Test files, and folders of them, that may take longer than 30 s on two quiet cores: the reason of each. */
export const slowFiles: Record<string, string> = {
  'tests/stack/chaos': 'kill processes at random times under load',
  'tests/stack/crash': 'start a stack again after each kill',
  'tests/stack/console': 'use each page of the console in Chromium',
  'tests/stack/browser/payment-page.test.ts': 'uses the payment page in Chromium, with the 3-D Secure pages of a bank',
  'tests/stack/boot': 'start whole stacks several times',
  'tests/stack/media': 'convert videos while containers are killed',
  'tests/stack/walks/bus-synchronisation.test.ts': 'synchronises applications that are killed in between',
  'tests/stack/client/package.test.ts': 'installs the packed client, and type-checks programs that use it',
  'tests/stack/scripts/new.full.test.ts': 'generates two components, and compiles and tests them',
  'tests/stack/docs/examples.test.ts': 'runs every example of the guide',
  'tests/stack/measure': 'run the load of the soak test, and wait after each operation of the cost report',
  'tests/stack/walks/payment-notifications.test.ts': 'sends a pay notification 10 000 times',
  'tests/deploy/names.full.test.ts': 'deploys a dozen times, with about ten runs of wrangler each',
  'tests/deploy/release.full.test.ts': 'deploys a dozen times, with about ten runs of wrangler each',
  'tests/deploy/containers.full.test.ts': 'deploys several times, with about ten runs of wrangler each',
  'tests/deploy/subset.full.test.ts': 'deploys several times, with about ten runs of wrangler each',
}
