import type { Language } from '../../contract/languages.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import type { Wording } from './wording.ts';

export const wordings: Record<Language, Wording> = { en, de, fr };
