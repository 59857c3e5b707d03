//! Priorities of channels.

use super::operand::Operand;
use super::{Res, Resolver};
use crate::network::{Declaration, Item, Network, PriorityMember};
use takt_diagnostic::{Diagnostic, Span};

impl Resolver {
    /// Gives the channels their priorities; the result is that of everything else. What is not
    /// named has the level of `default`, or the lowest if that is not named either.
    pub fn channel_priorities(&mut self, network: &Network) -> i32 {
        let declared: Vec<(&Vec<Vec<PriorityMember>>, Span)> = network
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Declaration(Declaration::ChannelPriority(levels, span)) => {
                    Some((levels, *span))
                }
                _ => None,
            })
            .collect();
        if let [(_, first), (_, second), ..] = declared.as_slice() {
            self.error(
                Diagnostic::error(
                    "second-priority",
                    *second,
                    "channel priorities are declared once",
                )
                .label("declared again here")
                .related(*first, "first declared here"),
            );
        }
        let Some((levels, _)) = declared.first() else { return 0 };
        let is_default = |level: &Vec<PriorityMember>| {
            level.iter().any(|member| matches!(member, PriorityMember::Default(_)))
        };
        let default = levels.iter().position(is_default).map_or(0, |level| level as i32 + 1);
        self.made.channels.iter_mut().for_each(|channel| channel.priority = default);
        // Processes may declare further ones.
        self.made.default_priority = default;
        for (level, members) in levels.iter().enumerate() {
            for member in members {
                if let PriorityMember::Channel(channel) = member {
                    let _ = self.channel_priority(channel, level as i32 + 1);
                }
            }
        }
        default
    }

    fn channel_priority(&mut self, expr: &crate::network::Expr, priority: i32) -> Res<()> {
        match self.operand(expr)? {
            Operand::Channel(place, ty) if place.steps.is_empty() => {
                let first = place.base.index();
                let last = first + ty.len() as usize;
                self.made.channels[first..last].iter_mut().for_each(|c| c.priority = priority);
                Ok(())
            }
            other => {
                Err(self.misfit("not-a-channel", expr.span, "a channel is needed here", &other))
            }
        }
    }
}
