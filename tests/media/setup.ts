// The test servers that the media tests need: clips, pictures and the media container.
import type { TestSetup } from '../../scripts/tests/setup.ts'

export const setup: TestSetup = {
  servers: ['media-clips', 'media-pictures', 'media-container'],
}
