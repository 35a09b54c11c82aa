"""What judges say of TripScore's plans: three rubrics (appendices H.1 to H.3), and the reward that has them in it."""
