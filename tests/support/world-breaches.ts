import type { LocalFeed } from '../../src/resources/breaches/feed/local-source.ts';
import { companies } from './world.ts';

/**
 * The breach feed of the test world. In each company:
 * - learner 1 is in two breaches
 * - learner 2, whose alias the feed writes in capitals, is in one breach, which is missing from the list of breaches
 * - learner 5, who is inactive, is in one breach
 * - `press`, which is not the address of a learner, is in one breach
 *
 * The third breach of the list has no addresses.
 */
export const worldFeed: LocalFeed = {
  breaches: [
    {
      Name: 'WanderTravel',
      Title: 'Wander Travel Club',
      Category: 'Travel',
      BreachDate: '2024-11-17',
      DataClasses: ['Email addresses', 'Passwords'],
    },
    {
      Name: 'PixelForge',
      Title: 'Pixel Forge',
      IsStealerLog: true,
      BreachDate: '2022-05-03',
      DataClasses: ['Email addresses'],
    },
    { Name: 'QuietShop', IsVerified: true },
  ],
  domains: Object.fromEntries(
    Object.keys(companies).map((name) => [
      `${name.toLowerCase()}.test`,
      {
        learner1: ['WanderTravel', 'PixelForge'],
        LEARNER2: ['Ghost'],
        learner5: ['PixelForge'],
        press: ['WanderTravel'],
      },
    ]),
  ),
};
