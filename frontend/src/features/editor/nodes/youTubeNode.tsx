/** A YouTube video. Nothing is loaded from YouTube until the user presses Play. */
import {
  $create,
  $getState,
  $setState,
  createState,
  DecoratorNode,
  type DOMExportOutput,
} from "lexical";
import type { ReactElement } from "react";
import type { HtmlBlock } from "../html/exportHtml";
import { parseVideoId, writeVideo } from "../html/media";
import { elementFrom } from "./elementFrom";
import { VideoBlock } from "./VideoBlock";

const videoState = createState("videoId", { parse: (value) => parseVideoId(value) ?? "" });

/** The video block. */
export class YouTubeNode extends DecoratorNode<ReactElement> implements HtmlBlock {
  override $config() {
    return this.config("youtube", {
      extends: DecoratorNode,
      stateConfigs: [{ flat: true, stateConfig: videoState }],
    });
  }

  $getVideoId(): string {
    return $getState(this, videoState);
  }

  $exportHtmlBlock(): string {
    return writeVideo(this.$getVideoId());
  }

  override createDOM(): HTMLElement {
    return document.createElement("figure");
  }

  override updateDOM(): false {
    return false;
  }

  override exportDOM(): DOMExportOutput {
    return { element: elementFrom(this.$exportHtmlBlock()) };
  }

  override isInline(): false {
    return false;
  }

  override decorate(): ReactElement {
    return <VideoBlock nodeKey={this.getKey()} videoId={this.$getVideoId()} />;
  }
}

/** Creates a video block from an id that `parseVideoUrl` or `readVideo` returned. */
export function $createYouTubeNode(videoId: string): YouTubeNode {
  return $setState($create(YouTubeNode), videoState, videoId);
}
