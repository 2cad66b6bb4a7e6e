import type { App } from '../../platform/app/app.ts';
import { instructionsOf } from './about.ts';
import { discoveryDocuments, type DiscoveryDocument } from './discovery-documents.ts';
import { createToolServer, type ToolServer } from './server.ts';
import { mountTools } from './tools.ts';

export interface MountedToolServer {
  readonly messages: ToolServer;
  readonly documents: readonly DiscoveryDocument[];
}

export const mountToolServer = (app: App, version: string): MountedToolServer => {
  const info = { name: 'ahwa', title: app.service.name, version };
  const instructions = instructionsOf(app);
  return {
    messages: createToolServer({ tools: mountTools(app), info, instructions }),
    documents: discoveryDocuments({ app, info, instructions }),
  };
};
