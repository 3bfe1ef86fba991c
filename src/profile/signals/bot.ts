import type { DomainSignals } from "./schema.ts";

export const bot: DomainSignals = {
  domain: "bot",
  about:
    "Acts by itself inside a chat or platform: Discord, Telegram, Slack, GitHub apps, trading bots.",
  nature: "product",
  uniqueFiles: "bot.py bot.js bot.ts bot.go slack.json .botrc bot.rb",
  frameworks: {
    npm: "discord.js telegraf node-telegram-bot-api grammy @slack/bolt probot botkit botbuilder eris oceanic.js twitter-api-v2 whatsapp-web.js @whiskeysockets/baileys matrix-bot-sdk hubot tmi.js mineflayer detritus-client @sapphire/framework discordx",
    pypi: "discord-py discord.py nextcord disnake py-cord hikari python-telegram-bot aiogram pytelegrambotapi telethon pyrogram slack-bolt errbot praw tweepy rasa botbuilder-core twitchio interactions.py mautrix maubot vkbottle ccxt freqtrade",
    cargo: "serenity poise teloxide twilight-gateway matrix-sdk",
    go: "github.com/bwmarrin/discordgo github.com/go-telegram-bot-api/telegram-bot-api gopkg.in/telebot.v3 github.com/slack-go/slack github.com/disgoorg/disgo github.com/go-telegram/bot gopkg.in/telebot.v4",
    maven:
      "net.dv8tion:jda org.telegram:* org.javacord:javacord com.slack.api:bolt com.discord4j:discord4j-core",
    nuget: "discord.net dsharpplus telegram.bot microsoft.bot.builder",
    gems: "discordrb telegram-bot-ruby slack-ruby-bot",
    composer:
      "team-reflex/discord-php irazasyed/telegram-bot-sdk botman/botman longman/telegram-bot",
    hex: "nostrum ex_gram",
  },
  directories: "cogs events intents bot commands listeners",
  uniqueDirectories: "cogs",
  statements: [
    "\\b(?:discord|telegram|slack|twitter|reddit|irc|matrix|twitch|trading|chat|github|whatsapp|moderation|music) ?bots?\\b(?! (?:framework|library|api|sdk))",
    "\\bbot (?:for|that|written|made)\\b",
  ],
  keywords: ["bot", "discord", "telegram", "slack", "chatbot", "discord-bot", "telegram-bot"],
  against: { "entry-point:own-name": 0.6, "statement:library-sdk": 0.3 },
};
