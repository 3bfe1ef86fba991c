import type { DomainSignals } from "./schema.ts";

export const mobileApp: DomainSignals = {
  domain: "mobile-app",
  about: "An application for Android or iOS, native or cross-platform.",
  nature: "product",
  definingFiles:
    "AndroidManifest.xml ios/Podfile capacitor.config.json capacitor.config.ts eas.json android/app/build.gradle android/app/build.gradle.kts ios/Runner/Info.plist Podfile ionic.config.json metro.config.* fastlane/Fastfile",
  uniqueFiles:
    "*.storyboard google-services.json GoogleService-Info.plist *.xcworkspacedata Info.plist proguard-rules.pro",
  frameworks: {
    npm: "react-native expo @capacitor/core nativescript @nativescript/core @ionic/angular cordova-android",
    maven:
      "androidx.activity:activity-compose androidx.appcompat:appcompat androidx.compose.ui:ui com.google.android.material:material androidx.core:core-ktx androidx.fragment:fragment-ktx androidx.navigation:*",
    gradle: "com.android.application",
    nuget: "microsoft.maui.controls xamarin.forms",
    pypi: "buildozer briefcase",
    pub: "flutter",
  },
  tools: { npm: "expo-cli eas-cli" },
  helpers: {
    npm: "@react-navigation/native expo-router",
    pub: "flutter_bloc provider go_router riverpod flutter_riverpod",
    maven: "androidx.room:room-runtime com.google.dagger:hilt-android androidx.lifecycle:*",
    gradle: "com.google.gms.google-services dagger.hilt.android.plugin",
  },
  entries: "gradle:android-application swift:ios-app",
  generalExtensions: "dart",
  uniqueDirectories: "src/main/res ios/Runner.xcodeproj",
  directories: "android ios",
  statements: [
    "\\b(?:android|ios|iphone|ipad|mobile) (?:app|application|client|game)\\b",
    "\\bapp for (?:android|ios)\\b",
    "\\bfor android\\b",
  ],
  keywords: ["android", "ios", "mobile", "react-native", "flutter", "expo"],
  against: {
    "entry-point:own-name": 0.5,
    "statement:library-sdk": 0.35,
    "entry-point:pub:library": 0.4,
    "framework:gradle:com.android.library": 0.2,
  },
  givesWay: { to: ["game-simulation"], by: 0.6 },
};
