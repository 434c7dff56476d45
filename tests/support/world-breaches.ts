import type { LocalFeed } from '../../src/resources/breaches/feed/local-source.ts';
import { companies } from './world.ts';

/**
 * What the feed knows: of each company learner 1 is in two breaches, 2 (in capitals) in one that the list does not have,
 * 5, who is inactive, in one, and `press`, who is no learner, in one. Nobody is in the third of the list.
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
