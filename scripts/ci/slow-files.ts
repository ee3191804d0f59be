/**
 * Test files, and folders of them, that may take longer than 30 s on two quiet cores, each with the reason. `npm run
 * ci` fails for any other slow file.
 */
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
  'tests/stack/walks/payment-notifications.test.ts': 'sends a pay notification 10,000 times',
  'tests/stack/gateway/access-matrix.test.ts': 'calls every operation with keys of every scope',
  'tests/stack/pdf': 'prints documents while Chromium is killed',
  'tests/deploy': 'deploy several times, with about ten runs of wrangler each',
  'tests/containers/media/native-videos.full.test.ts': 'transcodes videos with the native ffmpeg',
  'tests/containers/media/videos.full.test.ts': 'transcodes videos with ffmpeg in WebAssembly',
  'tests/containers/chromium/faults.full.test.ts': 'waits for the timeouts of pages that never end',
  'tests/media/video.full.test.ts': 'probes videos of each format, whole and damaged',
  'tests/media/engine-choice.full.test.ts': 'renders images of up to 48 megapixels in a Worker and in the container',
  'tests/media/fuzz.test.ts': 'runs its properties at full size on two databases',
  'tests/media/audio-probe.test.ts': 'compares the duration of each audio file with ffprobe',
  'tests/media/memory.full.test.ts': 'measures the memory of the largest images',
  'tests/bus/fuzz.test.ts': 'runs its properties at full size on two databases',
  'tests/bus/async.test.ts': 'waits for a timeout of 15 s, on two databases',
  'tests/sms/configuration.test.ts': 'tries each provider with each setting',
  'tests/payment/webhooks.test.ts': 'sends thousands of webhooks, on two databases',
  'tests/otp/lock.test.ts': 'checks a code a hundred times until its target is locked, on two databases',
}
